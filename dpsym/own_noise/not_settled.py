"""The error of a question about a noise that no number answers."""


class NotSettled(ArithmeticError):
    """No number could be certified; the message says what was in the way."""
