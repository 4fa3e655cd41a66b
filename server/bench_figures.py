"""How the benchmarks write their figures."""

from __future__ import annotations


def percentiles(values: list[float]) -> str:
    """Return median and 95th percentile of milliseconds."""
    ordered = sorted(values)
    return f"p50 {ordered[len(ordered) // 2]:.1f} ms, p95 {ordered[int(len(ordered) * 0.95)]:.1f} ms"
