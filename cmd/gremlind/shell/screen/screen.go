// Package screen is what a terminal shows: it takes what a program writes and keeps the
// cells, for tests that look at the shell as a person does. It knows the control sequences
// of line editors, wide characters and combining ones, and no colours.
package screen

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Screen is a terminal of fixed size. It is safe for concurrent use.
type Screen struct {
	// Answer is told, as the program's input, where the cursor is when the program asks.
	Answer io.Writer

	mu            sync.Mutex
	width, height int
	cells         [][]string // "" behind a wide character
	above         []string   // lines that have left at the top
	x, y          int
	wrap          bool // the next character begins a line
	savedX        int
	savedY        int
	rest          []byte // of a sequence that is not whole yet
}

// New returns an empty screen.
func New(width, height int) *Screen {
	s := &Screen{width: width, height: height}
	for range height {
		s.cells = append(s.cells, s.line())
	}
	return s
}

func (s *Screen) line() []string {
	line := make([]string, s.width)
	for i := range line {
		line[i] = " "
	}
	return line
}

// String is all lines that there were, the last the cursor's or the last that is not
// empty.
func (s *Screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := append([]string{}, s.above...)
	for _, l := range s.cells {
		out = append(out, strings.TrimRight(strings.Join(l, ""), " "))
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

// Line is the line of the cursor.
func (s *Screen) Line() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.TrimRight(strings.Join(s.cells[s.y], ""), " ")
}

// Column is where the cursor stands, from 0.
func (s *Screen) Column() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x
}

// Write takes what a program writes.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := append(s.rest, p...)
	for len(b) > 0 {
		n := s.take(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	s.rest = append([]byte(nil), b...)
	return len(p), nil
}

// take does the first thing of b and returns its length, 0 when it is not whole.
func (s *Screen) take(b []byte) int {
	switch b[0] {
	case 0x1b:
		return s.escape(b)
	case '\r':
		s.x, s.wrap = 0, false
	case '\n':
		s.down()
	case '\b':
		s.x, s.wrap = max(s.x-1, 0), false
	case '\t':
		s.x = min(s.x+8-s.x%8, s.width-1)
	default:
		if b[0] < ' ' || b[0] == 0x7f {
			return 1
		}
		if !utf8.FullRune(b) {
			return 0
		}
		r, n := utf8.DecodeRune(b)
		s.put(string(r), uniseg.StringWidth(string(r)))
		return n
	}
	return 1
}

func (s *Screen) put(c string, width int) {
	if width == 0 {
		if at := s.before(); at >= 0 {
			s.cells[s.y][at] += c
		}
		return
	}
	if s.wrap || s.x+width > s.width {
		s.x = 0
		s.down()
	}
	s.cells[s.y][s.x] = c
	for i := 1; i < width; i++ {
		s.cells[s.y][s.x+i] = ""
	}
	s.x += width
	if s.wrap = s.x >= s.width; s.wrap {
		s.x = s.width - 1
	}
}

// before is the cell that was written last in this line, -1 for none.
func (s *Screen) before() int {
	at := s.x - 1
	if s.wrap {
		at = s.x
	}
	for at > 0 && s.cells[s.y][at] == "" {
		at--
	}
	return at
}

func (s *Screen) down() {
	s.wrap = false
	if s.y++; s.y < s.height {
		return
	}
	s.above = append(s.above, strings.TrimRight(strings.Join(s.cells[0], ""), " "))
	s.cells = append(s.cells[1:], s.line())
	s.y = s.height - 1
}

// escape does a control sequence.
func (s *Screen) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				s.control(string(b[2:i]), b[i])
				return i + 1
			}
		}
		return 0
	case ']':
		for i := 2; i < len(b); i++ {
			if b[i] == 7 {
				return i + 1
			}
			if b[i] == '\\' && b[i-1] == 0x1b {
				return i + 1
			}
		}
		return 0
	case '7':
		s.savedX, s.savedY = s.x, s.y
	case '8':
		s.x, s.y = s.savedX, s.savedY
	case '(', ')':
		if len(b) < 3 {
			return 0
		}
		return 3
	}
	return 2
}

func (s *Screen) control(args string, c byte) {
	var n [2]int
	for i, a := range strings.SplitN(args, ";", 2) {
		n[i], _ = strconv.Atoi(a) // what is no number is the default
	}
	one := max(n[0], 1)
	s.wrap = s.wrap && c == 'm'
	switch c {
	case 'A':
		s.y = max(s.y-one, 0)
	case 'B':
		s.y = min(s.y+one, s.height-1)
	case 'C':
		s.x = min(s.x+one, s.width-1)
	case 'D':
		s.x = max(s.x-one, 0)
	case 'G':
		s.x = min(one, s.width) - 1
	case 'H', 'f':
		s.y, s.x = min(one, s.height)-1, min(max(n[1], 1), s.width)-1
	case 'J':
		s.eraseScreen(n[0])
	case 'K':
		s.eraseLine(n[0])
	case 'n':
		if s.Answer != nil && n[0] == 6 {
			fmt.Fprintf(s.Answer, "\x1b[%d;%dR", s.y+1, s.x+1)
		}
	case 's':
		s.savedX, s.savedY = s.x, s.y
	case 'u':
		s.x, s.y = s.savedX, s.savedY
	}
}

func (s *Screen) eraseLine(how int) {
	from, to := s.x, s.width
	switch how {
	case 1:
		from, to = 0, s.x+1
	case 2:
		from = 0
	}
	for i := from; i < to; i++ {
		s.cells[s.y][i] = " "
	}
}

func (s *Screen) eraseScreen(how int) {
	from, to := s.y+1, s.height
	switch how {
	case 0:
		s.eraseLine(0)
	case 1:
		s.eraseLine(1)
		from, to = 0, s.y
	default:
		from = 0
	}
	for y := from; y < to; y++ {
		s.cells[y] = s.line()
	}
}
