// Command devices is the program of pods in these tests: it prints the devices in its environment, one on each line,
// and waits for a signal. With an argument it does not wait.
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
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	environ := os.Environ()
	slices.Sort(environ)
	for _, variable := range environ {
		if strings.HasPrefix(variable, "GPU_DEVICE_") {
			fmt.Println(variable)
		}
	}
	if len(os.Args) == 1 {
		<-signals
	}
}
