// Command devices is what pods of these tests run: it prints the devices that a driver has put into
// its environment, one a line, and waits until it is told to go; with an argument it does not wait.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

func main() {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGINT)
	environ := os.Environ()
	slices.Sort(environ)
	for _, variable := range environ {
		if strings.HasPrefix(variable, "GPU_DEVICE_") {
			fmt.Println(variable)
		}
	}
	if len(os.Args) == 1 {
		<-told
	}
}
