"""The computer players of Trío y Escalera, and what they use to choose their moves."""
