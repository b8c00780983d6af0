"""The computer players of Svoi Kozyri, and what they use to choose their moves."""
