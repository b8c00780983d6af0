"""Tables: the event-sourced state, the actions of players, computer players, and the service over a store."""
