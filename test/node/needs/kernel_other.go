//go:build !linux

package needs

func missingFromKernel() []string { return nil }
