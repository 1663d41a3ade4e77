package files

// nonblocking is nothing: pipes have no place among files.
const nonblocking = 0
