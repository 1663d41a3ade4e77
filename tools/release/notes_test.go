package main

import (
	"testing"
)

func TestChangelogSection(t *testing.T) {
	const text = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- this\n\n## [0.1.0]\n- " +
		"that\n\n[0.1.0]: https://example.com\n"
	for version, want := range map[string]string{
		"0.2.0": "### Added\n\n- this", "0.1.0": "- that", "Unreleased": "", "0.3.0": "", "0.2": "",
		"0x2.0": "",
	} {
		if got := changelogSection(text, version); got != want {
			t.Errorf("%s: got %q, want %q", version, got, want)
		}
	}
}
