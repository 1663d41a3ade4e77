package lens

import "github.com/claimbridge/claimbridge/conversion/internal/merge"

// What package merge knows of values.
type (
	members = merge.Members
	shape   = merge.Shape
	reach   = merge.Reach
)

var (
	membersOf = merge.MembersOf
	partsOf   = merge.PartsOf
	itemsOf   = merge.ItemsOf
	isNull    = merge.IsNull
	shapeOf   = merge.ShapeOf
)

func is(value []byte, begin byte) bool { return len(value) > 0 && value[0] == begin }
