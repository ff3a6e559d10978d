package console

import (
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
)

// errEnough is returned when the user wants to see no more.
var errEnough = errors.New("enough was seen")

const more = "-- more: space for a page, enter for a line, q for enough --"

// pager stops when the screen is full. Without a terminal it only hands on.
type pager struct {
	w       io.Writer
	in, out *os.File // nil without a terminal
	width   int
	left    int           // lines until it stops
	waited  time.Duration // for the user
}

func (c *Console) newPager() *pager {
	p := &pager{w: c.o.Out}
	if c.terminal == nil {
		return p
	}
	width, height, err := term.GetSize(int(c.terminal.Fd()))
	if err != nil || width <= 0 || height < 3 {
		return p
	}
	p.in, p.out, p.width, p.left = c.o.In, c.terminal, width, height-1
	return p
}

// Write writes whole lines, and waits for a key between them where the screen is full.
func (p *pager) Write(b []byte) (int, error) {
	if p.out == nil {
		return p.w.Write(b)
	}
	for rest := string(b); rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		rows := max(1, (render.Width(line)+p.width-1)/p.width)
		if p.left -= rows; p.left < 0 {
			if err := p.ask(); err != nil {
				return 0, err
			}
			p.left -= rows
		}
		if _, err := io.WriteString(p.w, line+"\n"); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// ask waits for a key and says in p.left how many lines come next.
func (p *pager) ask() error {
	began := time.Now()
	defer func() { p.waited += time.Since(began) }()
	if _, err := io.WriteString(p.out, render.Clip(more, p.width-1)); err != nil {
		return err
	}
	key, err := p.key()
	if _, err := io.WriteString(p.out, "\r\x1b[K"); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	_, height, err := term.GetSize(int(p.out.Fd()))
	if err != nil {
		return err
	}
	switch key {
	case 'q', 'Q', 3, 4, 27: // and Ctrl-C, Ctrl-D, Escape
		return errEnough
	case '\r', '\n':
		p.left = 1
	default:
		p.left = max(height-1, 1)
	}
	return nil
}

func (p *pager) key() (byte, error) {
	state, err := term.MakeRaw(int(p.in.Fd()))
	if err != nil {
		return 0, err
	}
	var b [16]byte // an arrow key is several bytes
	_, err = p.in.Read(b[:])
	return b[0], errors.Join(err, term.Restore(int(p.in.Fd()), state))
}
