//go:build e2e

package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// columns of the terminal.
const columns = 104

// commands of the session, in a folder with what is in testdata.
var commands = []string{
	"claimbridge convert --to 1.36 --diff claims",
	"claimbridge convert --to 1.36 --write claims",
	"claimbridge convert --to 1.36 --check claims && echo ready for 1.36",
	"claimbridge validate draft.yaml",
}

// session runs the commands one after the other, and gives the lines that stand in the terminal then.
func session(t *testing.T) (lines []line) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // the commands take moments
	defer cancel()
	programs, folder := filepath.Dir(built.Claimbridge(t)), t.TempDir()
	must.Do(t, os.CopyFS(folder, os.DirFS("testdata")))
	for i, command := range commands {
		if i > 0 {
			lines = append(lines, nil)
		}
		shell := exec.CommandContext(ctx, "bash", "-c", command)
		shell.Dir = folder
		shell.Env = []string{"PATH=" + programs + ":" + os.Getenv("PATH"), "HOME=" + folder, "TERM=xterm-256color"}
		lines = append(lines, line{{prompt, "$ "}, {typed, command}})
		lines = append(lines, shown(t, inTerminal(t, shell))...)
	}
	return lines
}

// inTerminal runs a command in a terminal, and returns its output. It may fail.
func inTerminal(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	master := must.Get(os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	defer func() { _ = master.Close() }()
	control := int(master.Fd())
	number, err := unix.IoctlGetInt(control, unix.TIOCGPTN)
	if err == nil {
		err = errors.Join(unix.IoctlSetPointerInt(control, unix.TIOCSPTLCK, 0),
			unix.IoctlSetWinsize(control, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: columns}))
	}
	if err != nil {
		t.Fatal(err)
	}
	slave := must.Get(os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = command.Start()
	_ = slave.Close() // the command has its own
	if err != nil {
		t.Fatal(err)
	}
	var screen bytes.Buffer
	if _, err := io.Copy(&screen, master); err != nil && !errors.Is(err, syscall.EIO) {
		// which means that no process has the terminal open any more
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(screen.String(), "\r\n", "\n")
}
