"""Local times, time zones, and the time by which a delivery must be answered."""
