package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// places are files, one for each node on the machine. A living node's is locked by its keeper and
// by its owner, so the kernel gives it free when both have ended, and what it says is what they
// have left behind.
const places = "/run/lock/claimbridge-node-"

// take a place for a new node, and clean those whose nodes were killed with their keepers.
func take(ctx context.Context) (*spec, *os.File, error) {
	if err := os.MkdirAll(filepath.Dir(places), 0o755); err != nil {
		return nil, nil, err
	}
	if err := clean(ctx); err != nil {
		return nil, nil, err
	}
	taken, err := routes(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := range mostNodes {
		file, err := lock(places + strconv.Itoa(i))
		if err != nil {
			return nil, nil, err
		}
		if file == nil {
			continue
		}
		n, err := at(i, taken)
		if err != nil {
			return nil, nil, errors.Join(err, release(file))
		}
		return n, file, nil
	}
	return nil, nil, fmt.Errorf("there are %d nodes on this machine, which is all that it may have: see %s*", mostNodes,
		places)
}

// clean what nodes have left behind that ended without a keeper.
func clean(ctx context.Context) error {
	files, err := filepath.Glob(places + "*")
	if err != nil {
		return err
	}
	for _, name := range files {
		file, err := lock(name)
		if err != nil {
			return err
		}
		if file == nil {
			continue // alive
		}
		remove, err := keeperOf(ctx, name, "remove")
		var output []byte
		if err == nil {
			output, err = remove.CombinedOutput()
		}
		if err != nil { // the file stays, for the next one who comes by
			return errors.Join(fmt.Errorf("clean up after a node that was killed, %s: %w\n%s", name, err, output),
				file.Close())
		}
		if err := release(file); err != nil {
			return err
		}
	}
	return nil
}

// lock locks a file, and creates it if it does not exist. It returns nil if another process has locked it.
func lock(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = nil
		}
		return nil, errors.Join(err, file.Close())
	}
	mine, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if there, err := os.Stat(name); err != nil || !os.SameFile(mine, there) { // its last owner has just removed it
		return nil, file.Close()
	}
	return file, nil
}

// release a place whose node has left nothing behind.
func release(file *os.File) error { return errors.Join(os.Remove(file.Name()), file.Close()) }

// routes of the machine, those to its own addresses included.
func routes(ctx context.Context) (taken []netip.Prefix, err error) {
	output, err := exec.CommandContext(ctx, "ip", "-4", "-json", "route", "show", "table", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("ask ip for the routes of the machine: %w", err)
	}
	var all []struct{ Dst string }
	if err := json.Unmarshal(output, &all); err != nil {
		return nil, fmt.Errorf("routes of the machine: %w", err)
	}
	for _, r := range all {
		if !strings.Contains(r.Dst, "/") {
			r.Dst += "/32"
		}
		if p, err := netip.ParsePrefix(r.Dst); err == nil && p.Bits() > 0 { // the default route is no network
			taken = append(taken, p)
		}
	}
	return taken, nil
}
