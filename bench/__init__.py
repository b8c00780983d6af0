"""Benchmarks, most of them beside a yardstick measured in the same run; and the README's pictures."""
