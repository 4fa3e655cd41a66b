"""BSL Scout: finds business logic in 1C:Enterprise configurations, offline."""

__version__ = "0.1.0"
