"""The terminal: a full screen with buttons, or plain lines for pipes and screen readers."""
