"""Games line by line, for screen readers, pipes and small terminals."""
