package console

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/reeflective/readline"
)

// historyMax is how many texts the file keeps.
const historyMax = 2000

// history is what was typed, in a file with a JSON text a line. Only its owner may read it.
type history struct {
	file  string
	lines []string
}

var _ readline.History = (*history)(nil)

// newHistory reads a file, or begins one; "" keeps what was typed until the end only.
func newHistory(file string) (*history, error) {
	h := &history{file: file}
	if file == "" {
		return h, nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var text string
		if json.Unmarshal(lines.Bytes(), &text) == nil && text != "" {
			h.lines = append(h.lines, text)
		}
	}
	if len(h.lines) > 2*historyMax {
		h.lines = h.lines[len(h.lines)-historyMax:]
		return h, h.rewrite()
	}
	return h, lines.Err()
}

// rewrite makes the file as short as what is kept.
func (h *history) rewrite() error {
	var b strings.Builder
	for _, text := range h.lines {
		line, err := json.Marshal(text)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	part := h.file + ".part"
	if err := os.WriteFile(part, []byte(b.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(part, h.file)
}

// Write adds a text, unless it is the last one again.
func (h *history) Write(text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == text {
		return len(h.lines), nil
	}
	h.lines = append(h.lines, text)
	if h.file == "" {
		return len(h.lines), nil
	}
	line, err := json.Marshal(text)
	if err != nil {
		return len(h.lines), err
	}
	f, err := os.OpenFile(h.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return len(h.lines), err
	}
	_, err = f.Write(append(line, '\n'))
	return len(h.lines), errors.Join(err, f.Close())
}

// GetLine returns a text by its number, the oldest first.
func (h *history) GetLine(i int) (string, error) {
	if i < 0 || i >= len(h.lines) {
		return "", errors.New("there is no such line")
	}
	return h.lines[i], nil
}

// Len is how many there are.
func (h *history) Len() int { return len(h.lines) }

// Dump returns all.
func (h *history) Dump() any { return h.lines }
