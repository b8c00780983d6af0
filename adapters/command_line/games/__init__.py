"""What the commands about games do: play, go on, replay and list games, and let programs play."""
