"""Figures of speed, as ratios measured in one run."""
