package main

import (
	"path"
	"slices"
	"testing"

	"github.com/google/licenseclassifier/v2/assets"
)

func TestOnlyPermissiveLicensesAreAccepted(t *testing.T) {
	for file, isPermissive := range map[string]bool{
		"Apache-2.0/pristine.txt": true, "MIT/pristine.txt": true,
		"GPL-3.0/license.txt": false, "AGPL-3.0/license.txt": false,
	} {
		name := path.Dir(file)
		text := must(assets.ReadLicenseFile("License/" + file))(t)
		ids, err := classify(text)
		if isPermissive != (err == nil) || isPermissive && !slices.Contains(ids, name) {
			t.Errorf("%s: got licenses %q and error %v, want it to be permissive: %t", name, ids, err, isPermissive)
		}
	}
	if ids, err := classify([]byte("Do what you like with it.")); err == nil {
		t.Errorf("an unknown text: got licenses %q, want an error", ids)
	}
}
