// Package migration rewrites claims and templates that are stored in another version than the one that their definition stores
// now, and then takes the names of the old versions out of status.storedVersions of the definition.
//
// Every object gets a patch that changes nothing. The API server encodes it in the version that is stored now and writes it when that
// makes other bytes than there are; where it makes the same, nothing is written and no watch hears of it. So a run that was
// interrupted is begun again, and goes fast over what is done.
package migration
