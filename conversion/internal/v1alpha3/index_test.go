package v1alpha3

import (
	"fmt"
	"testing"
)

func TestAnIndexFindsItsKeys(t *testing.T) {
	for _, items := range []int{0, 1, maxLookedThrough, maxLookedThrough + 1, 1024} {
		t.Run(fmt.Sprint(items), func(t *testing.T) {
			var x index[string, int]
			for i := range items {
				if at := x.of(fmt.Sprint(i)); at != nil {
					t.Fatalf("%d is there before it was added, as %d", i, *at)
				}
				x.add(fmt.Sprint(i), i)
			}
			for i := range items {
				if at := x.of(fmt.Sprint(i)); at == nil || *at != i {
					t.Errorf("%d is %v", i, at)
				}
			}
		})
	}
}
