"""Benchmarks; each reports ratios to a yardstick measured in the same run."""
