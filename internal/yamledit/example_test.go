package yamledit_test

import (
	"fmt"

	"github.com/claimbridge/claimbridge/internal/yamledit"
)

// The entry exactly is removed. The entries in it are pieces: they move to its slot, and keep their comments and their
// order. The comments of exactly itself are stranded, and stay above the pieces.
func ExampleEdit() {
	const text = `# device request
name: gpu
# one of them is a spare
exactly: # not firstAvailable
  deviceClassName: gpu.example.com

  count: 2 # per pod
`
	const desired = `{"name": "gpu", "count": 2, "deviceClassName": "gpu.example.com"}`
	result, err := yamledit.Edit([]byte(text), []byte(desired))
	fmt.Print(string(result.Text))
	fmt.Println("stranded:", result.Stranded, err)

	// Output:
	// # device request
	// name: gpu
	// # one of them is a spare
	// # not firstAvailable
	// deviceClassName: gpu.example.com
	//
	// count: 2 # per pod
	// stranded: [3 4] <nil>
}

// The new entry exactly has no text, but the entries in it are pieces. It gets the slot of the first of them.
func ExampleEdit_wrapped() {
	const text = `name: gpu
deviceClassName: gpu.example.com
# per pod
count: 2
tolerations: [] # none
`
	const desired = `{"name": "gpu", "tolerations": [], "exactly": {"count": 2, "deviceClassName": "gpu.example.com"}}`
	result, err := yamledit.Edit([]byte(text), []byte(desired))
	fmt.Print(string(result.Text))
	fmt.Println("stranded:", result.Stranded, err)

	// Output:
	// name: gpu
	// exactly:
	//   deviceClassName: gpu.example.com
	//   # per pod
	//   count: 2
	// tolerations: [] # none
	// stranded: [] <nil>
}

// The pieces come from two mappings, so they have no common order in the text, and get that of the desired object.
func ExampleEdit_scattered() {
	const text = `old:
  b:
    second: 2 # two
  a:
    first: 1 # one
`
	const desired = `{"first": 1, "second": 2}`
	result, err := yamledit.Edit([]byte(text), []byte(desired))
	fmt.Print(string(result.Text))
	fmt.Println("stranded:", result.Stranded, err)

	// Output:
	// first: 1 # one
	// second: 2 # two
	// stranded: [] <nil>
}
