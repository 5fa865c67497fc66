// GstPlayer
