package files

// nonblocking is no flag, since Windows has no pipes among files.
const nonblocking = 0
