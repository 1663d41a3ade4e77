package conversion

import "testing"

// TestFewKeepsLittle: a claim with many of something leaves no memory behind for it.
func TestFewKeepsLittle(t *testing.T) {
	var f few[int, int]
	for want, items := range map[bool]int{true: maxSlab / 2, false: 4 * maxSlab} {
		for i := range items {
			f.put(i, -i)
		}
		if got := f.get(items - 1); got == nil || *got != 1-items {
			t.Fatalf("item %d is %v", items-1, got)
		}
		f.reset()
		if f.get(0) != nil {
			t.Error("a key is still there")
		}
		if kept := cap(f.items) > 0; kept != want {
			t.Errorf("after %d items there is room for %d", items, cap(f.items))
		}
		f = few[int, int]{}
	}
}
