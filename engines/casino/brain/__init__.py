"""The computer players of Casino, and what they use to choose their moves."""
