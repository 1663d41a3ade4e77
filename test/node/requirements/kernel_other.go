//go:build !linux

package requirements

func missingFromKernel() []string { return nil }
