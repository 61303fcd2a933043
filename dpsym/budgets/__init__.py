"""Budgets spent while earlier answers choose what comes next: filters keep to them, odometers read the loss."""

from dpsym.budgets.filters import Filter, Overspent
from dpsym.budgets.odometers import Odometer
from dpsym.budgets.prices import NoPrice, Price

__all__ = ["Filter", "NoPrice", "Odometer", "Overspent", "Price"]
