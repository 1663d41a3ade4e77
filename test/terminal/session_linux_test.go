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

// columns is the width of the terminal.
const columns = 104

// commands are the commands of the session. They run in a copy of the testdata folder.
var commands = []string{
	"claimbridge convert --to 1.36 --diff claims",
	"claimbridge convert --to 1.36 --write claims",
	"claimbridge convert --to 1.36 --check claims && echo ready for 1.36",
	"claimbridge validate draft.yaml",
}

// session runs the commands one after the other, and returns the lines that the terminal displays at the end.
func session(t *testing.T) (lines []line) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // the commands take less than a second
	defer cancel()
	binFolder := filepath.Dir(built.Claimbridge(t))
	folder := t.TempDir()
	must.Do(t, os.CopyFS(folder, os.DirFS("testdata")))
	for i, command := range commands {
		if i > 0 {
			lines = append(lines, nil)
		}
		shell := exec.CommandContext(ctx, "bash", "-c", command)
		shell.Dir = folder
		shell.Env = []string{"PATH=" + binFolder + ":" + os.Getenv("PATH"), "HOME=" + folder, "TERM=xterm-256color"}
		lines = append(lines, line{{prompt, "$ "}, {typed, command}})
		lines = append(lines, parseOutput(t, runInTerminal(t, shell))...)
	}
	return lines
}

// runInTerminal runs a command in a pseudo-terminal, and returns its output. The exit code does not matter.
func runInTerminal(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	master := must.Get(os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	defer func() { _ = master.Close() }()
	control := int(master.Fd())
	number := must.Get(unix.IoctlGetInt(control, unix.TIOCGPTN))(t)
	must.Do(t, unix.IoctlSetPointerInt(control, unix.TIOCSPTLCK, 0))
	must.Do(t, unix.IoctlSetWinsize(control, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: columns}))
	slave := must.Get(os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err := command.Start()
	_ = slave.Close() // the command has its own file descriptor
	must.Do(t, err)
	var output bytes.Buffer
	// EIO means that no process has the terminal open anymore.
	if _, err := io.Copy(&output, master); err != nil && !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(output.String(), "\r\n", "\n")
}
