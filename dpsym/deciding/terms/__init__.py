"""Certificates of what the strategies settle, line by line (docs/certificates.md)."""

from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.deciding.terms.settling import elaborate, elaborated, settle

__all__ = ["Builder", "Lacking", "elaborate", "elaborated", "settle"]
