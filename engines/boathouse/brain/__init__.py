"""The computer players of Boathouse Rum, and what they use to choose their moves."""
