// Seats
