"""The commands and their parameters, and what people type for them."""
