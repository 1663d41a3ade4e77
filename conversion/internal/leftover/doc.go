// Package leftover holds what travels beside a copy in an older version: what is stored of an object, where the version cannot say it all,
// and what is done where that does not fit.
package leftover
