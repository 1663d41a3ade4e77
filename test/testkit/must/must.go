// Package must ends a test at the first error of what it only prepares, or rests on: there is
// nothing to say about it but the error.
package must

import "testing"

// Do something that has no error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get what a function gives that has no error: must.Get(os.ReadFile(file))(t).
func Get[A any](a A, err error) func(testing.TB) A {
	return func(t testing.TB) A {
		t.Helper()
		Do(t, err)
		return a
	}
}

// Get2 is [Get] of two.
func Get2[A, B any](a A, b B, err error) func(testing.TB) (A, B) {
	return func(t testing.TB) (A, B) {
		t.Helper()
		Do(t, err)
		return a, b
	}
}
