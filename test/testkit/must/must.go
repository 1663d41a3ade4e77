// Package must fails a test if a step of its setup returns an error.
package must

import "testing"

// Do fails the test if there is an error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns a function that returns the value, or fails the test: must.Get(os.ReadFile(file))(t).
func Get[A any](a A, err error) func(testing.TB) A {
	return func(t testing.TB) A {
		t.Helper()
		Do(t, err)
		return a
	}
}

// Get2 is [Get] for two values.
func Get2[A, B any](a A, b B, err error) func(testing.TB) (A, B) {
	return func(t testing.TB) (A, B) {
		t.Helper()
		Do(t, err)
		return a, b
	}
}
