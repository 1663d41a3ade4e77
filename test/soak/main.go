// Command soak keeps a server busy with an adversary's requests, and at the same time sends honest calls at a steady rate. Of these the server
// may turn away as many as it likes, but they have to be served again within 10 s of the attack's end. Its memory must stay below the limit of
// the manifests: on Linux the peak is read at the end, and with cgroup v1, as root, the kernel holds it there.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/claimbridge/claimbridge/test/soak/attack"
)

func main() {
	if err := command(); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1) //nolint:forbidigo // a program of its own
	}
}

func command() error {
	program := flag.String("program", "bin/claimbridge", "the server to test")
	length := flag.Duration("for", 5*time.Minute, "how long")
	rate := flag.Int("rate", 50, "honest calls a second")
	without := flag.Bool("without-expressions", false, "leave out the attacks on the compiler of selectors")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, *program, *length, *rate, attack.Mix(!*without))
}

func run(ctx context.Context, program string, length time.Duration, rate int, attacks []attack.Attack) error {
	folder, err := os.MkdirTemp("", "claimbridge-soak-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	s, err := start(ctx, program, folder)
	if err != nil {
		return err
	}
	defer s.stop()
	r, err := s.soak(ctx, length, rate, attacks)
	if err != nil {
		return err
	}
	fmt.Print(r)
	return r.problem()
}
