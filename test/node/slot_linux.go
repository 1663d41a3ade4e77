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

// slotPrefix is the prefix of slot files. There is one for each node on the machine. It is locked by the supervisor and
// by the process that started the node, so the kernel unlocks it when both have ended. It then lists the objects that
// have to be deleted.
const slotPrefix = "/run/lock/claimbridge-node-"

// acquireSlot locks a free slot and returns the node for it. Before that, it deletes nodes whose supervisor was killed.
func acquireSlot(ctx context.Context) (*spec, *os.File, error) {
	if err := os.MkdirAll(filepath.Dir(slotPrefix), 0o755); err != nil {
		return nil, nil, err
	}
	if err := deleteOrphans(ctx); err != nil {
		return nil, nil, err
	}
	routes, err := listRoutes(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := range maxNodes {
		file, err := tryLock(slotPrefix + strconv.Itoa(i))
		if err != nil {
			return nil, nil, err
		}
		if file == nil {
			continue
		}
		n, err := newSpec(i, routes)
		if err != nil {
			return nil, nil, errors.Join(err, releaseSlot(file))
		}
		return n, file, nil
	}
	return nil, nil, fmt.Errorf("%d nodes run on this machine, which is the limit: see %s*", maxNodes, slotPrefix)
}

// deleteOrphans deletes the objects of nodes whose supervisor was killed.
func deleteOrphans(ctx context.Context) error {
	names, err := filepath.Glob(slotPrefix + "*")
	if err != nil {
		return err
	}
	for _, name := range names {
		file, err := tryLock(name)
		if err != nil {
			return err
		}
		if file == nil {
			continue // the node runs
		}
		remove, err := supervisorCommand(ctx, name, "remove")
		var output []byte
		if err == nil {
			output, err = remove.CombinedOutput()
		}
		if err != nil { // the file is kept, so that the next start tries again
			return errors.Join(fmt.Errorf("delete the node of a killed supervisor, %s: %w\n%s", name, err, output),
				file.Close())
		}
		if err := releaseSlot(file); err != nil {
			return err
		}
	}
	return nil
}

// tryLock locks a file, and creates it if it does not exist. It returns nil if another process has locked it.
func tryLock(name string) (*os.File, error) {
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
	locked, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	// The previous owner may have deleted the file between open and lock.
	if current, err := os.Stat(name); err != nil || !os.SameFile(locked, current) {
		return nil, file.Close()
	}
	return file, nil
}

// releaseSlot deletes and unlocks a slot file. The node must have no objects on the machine any more.
func releaseSlot(file *os.File) error { return errors.Join(os.Remove(file.Name()), file.Close()) }

// listRoutes returns the destinations of the machine's routes, including its own addresses, without the default route.
func listRoutes(ctx context.Context) (destinations []netip.Prefix, err error) {
	output, err := exec.CommandContext(ctx, "ip", "-4", "-json", "route", "show", "table", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("list the routes of the machine: %w", err)
	}
	var routes []struct{ Dst string }
	if err := json.Unmarshal(output, &routes); err != nil {
		return nil, fmt.Errorf("routes of the machine: %w", err)
	}
	for _, r := range routes {
		if !strings.Contains(r.Dst, "/") {
			r.Dst += "/32"
		}
		if p, err := netip.ParsePrefix(r.Dst); err == nil && p.Bits() > 0 {
			destinations = append(destinations, p)
		}
	}
	return destinations, nil
}
