"""Version 1 of the messages, generated from proto/bcnet/wire/v1 by scripts/proto; never edited by hand."""
