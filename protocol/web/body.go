package web

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// parsePlain reads the request of a GET's query string or a POST's body into t.
func (s *Endpoint) parsePlain(w http.ResponseWriter, r *http.Request, t *request.Task) error {
	if r.Method == http.MethodGet {
		return parseQuery(r.URL.Query(), t)
	}
	if r.ContentLength > s.desk.Limits().MessageBytes { // before 100 Continue asks for it
		return s.bodyError(&http.MaxBytesError{Limit: s.desk.Limits().MessageBytes})
	}
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(s.desk.Limits().MessageTimeout))
	body, err := readCharged(http.MaxBytesReader(w, r.Body, s.desk.Limits().MessageBytes), r.ContentLength, &t.Wire)
	if err != nil {
		return s.bodyError(err)
	}
	_ = rc.SetReadDeadline(time.Time{})
	if len(r.TransferEncoding) == 0 {
		w.Header().Del("Connection")
	} // else who stands in front may have counted the body otherwise: no second request after it
	t.Size = len(body)
	return s.parseBody(normalMime(r.Header.Get("Content-Type")), body, t)
}

// readCharged reads all of r, which is said to be so long; negative: nothing is said. The
// memory is charged before it is taken.
func readCharged(r io.Reader, said int64, memory *account.Account) ([]byte, error) {
	room := int64(request.FreeMessage)
	if said >= 0 && said < room {
		room = said + 1 // the end is found without more
	}
	buf := make([]byte, 0, room)
	for {
		if len(buf) == cap(buf) {
			size := max(2*cap(buf), 2*request.FreeMessage)
			if err := memory.Charge(int64(size)); err != nil {
				return nil, err
			}
			charged := buf
			buf = append(make([]byte, 0, size), buf...)
			if cap(charged) > request.FreeMessage {
				memory.Release(int64(cap(charged)))
			}
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// parseBody reads a serialised request, with or without the mime prefix of a WebSocket
// frame, or the plain JSON form.
func (s *Endpoint) parseBody(contentType string, body []byte, t *request.Task) error {
	codec, payload, err := s.bodyCodec(contentType, body)
	if err != nil {
		return err
	}
	if codec == nil {
		if err := t.Wire.Charge(graphson.Weight(body)); err != nil {
			return message.TooMuch(err)
		}
		return parseJSON(body, t)
	}
	t.Reply.Codec = codec
	if err := t.Decode(payload); err != nil {
		return err
	}
	if !t.Req.HasID || t.Req.ID == uuid.Nil {
		t.Req.ID, t.Req.HasID = uuid.New(), true
	}
	return nil
}

func (s *Endpoint) bodyCodec(contentType string, body []byte) (message.Codec, []byte, error) {
	codec := s.desk.Codecs[contentType]
	if contentType == message.MimeJSON {
		codec = nil
	}
	if len(body) == 0 || body[0] == '{' || body[0] == 0x81 || body[0] > 127 || !strings.HasPrefix(string(body[1:]), "application/") {
		return codec, body, nil
	}
	prefixed, name, payload, err := s.desk.Codecs.ParseFrame(body)
	if err != nil {
		return nil, nil, err
	}
	if codec != nil && string(name) != contentType {
		return nil, nil, message.Malformed("the body is %s but Content-Type says %s", name, value.Brief(contentType))
	}
	return prefixed, payload, nil
}

// normalMime drops parameters other than types=false and all spaces.
func normalMime(s string) string {
	name, params, err := mime.ParseMediaType(s)
	if err != nil {
		return ""
	}
	if params["types"] == "false" {
		return name + message.Untyped
	}
	return name
}

// newRequest fills in what the plain forms have in common.
func newRequest(t *request.Task, requestID string) error {
	t.Req = &message.Request{ID: uuid.New(), HasID: true, Op: message.OpEval, Args: value.NewMap()}
	if requestID == "" {
		return nil
	}
	id, err := uuid.Parse(requestID)
	if err != nil {
		return message.InvalidArgs("requestId is not a UUID")
	}
	t.Req.ID = id
	return nil
}

func setScript(t *request.Task, v value.Value) error {
	if v.Kind() != value.KindString || v.Str() == "" {
		return message.InvalidArgs("no gremlin script supplied")
	}
	t.Req.Args.Put(value.String("gremlin"), v)
	return nil
}

// parseQuery reads ?gremlin=&language=&seeAs=&requestId=&bindings.x=&aliases.g=.
func parseQuery(q url.Values, t *request.Task) error {
	if err := newRequest(t, q.Get("requestId")); err != nil {
		return err
	}
	if err := setScript(t, value.String(q.Get("gremlin"))); err != nil {
		return err
	}
	for _, name := range []string{"language", request.SeeAsArg} {
		if v := q.Get(name); v != "" {
			t.Req.Args.Put(value.String(name), value.String(v))
		}
	}
	groups := map[string]*value.Map{"bindings": value.NewMap(), "aliases": value.NewMap()}
	names := make([]string, 0, len(q))
	for name := range q {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		group, key, _ := strings.Cut(name, ".")
		if m := groups[group]; m != nil && key != "" {
			m.Put(value.String(key), value.String(q.Get(name)))
		}
	}
	for name, m := range groups {
		if m.Len() > 0 {
			t.Req.Args.Put(value.String(name), m.Value())
		}
	}
	return nil
}

// parseJSON reads {gremlin, bindings, aliases, language, requestId} and options. Whole numbers
// become Long and others Double.
func parseJSON(body []byte, t *request.Task) error {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var fields map[string]any
	if err := d.Decode(&fields); err != nil || fields == nil {
		return message.Malformed("body could not be parsed")
	}
	if _, err := d.Token(); err != io.EOF {
		return message.Malformed("body could not be parsed: data after the request")
	}
	id, isText := fields["requestId"].(string)
	if fields["requestId"] != nil && !isText {
		return message.InvalidArgs("requestId is not a UUID")
	}
	if err := newRequest(t, id); err != nil {
		return err
	}
	script, _ := fields["gremlin"].(string)
	if err := setScript(t, value.String(script)); err != nil {
		return err
	}
	for _, name := range []string{"bindings", "aliases"} {
		if fields[name] == nil {
			continue
		}
		m, ok := fields[name].(map[string]any)
		if !ok {
			return message.InvalidArgs("%s must be a Map", name)
		}
		t.Req.Args.Put(value.String(name), fromJSON(m))
	}
	for _, name := range []string{"language", "batchSize", "evaluationTimeout", "materializeProperties", request.SeeAsArg} {
		if v, ok := fields[name]; ok && v != nil {
			t.Req.Args.Put(value.String(name), fromJSON(v))
		}
	}
	return nil
}

// fromJSON converts what encoding/json decoded; it has bounded the depth.
func fromJSON(x any) value.Value {
	switch x := x.(type) {
	case string:
		return value.String(x)
	case bool:
		return value.Bool(x)
	case json.Number:
		return jsonNumber(string(x))
	case []any:
		list := make([]value.Value, len(x))
		for i, e := range x {
			list[i] = fromJSON(e)
		}
		return value.List(list)
	case map[string]any:
		names := make([]string, 0, len(x))
		for k := range x {
			names = append(names, k)
		}
		sort.Strings(names)
		m := value.NewMap()
		for _, k := range names {
			m.Put(value.String(k), fromJSON(x[k]))
		}
		return m.Value()
	}
	return value.Null
}

func jsonNumber(s string) value.Value {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return value.Long(n)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return value.Null
	}
	return value.Double(f)
}

// acceptedMimes lists the types of an Accept header, the preferred first.
func acceptedMimes(header string) []string {
	if strings.TrimSpace(header) == "" {
		return []string{"*/*"}
	}
	type choice struct {
		mime string
		q    float64
	}
	var list []choice
	for _, part := range strings.Split(header, ",") {
		q := 1.0
		if _, params, err := mime.ParseMediaType(part); err == nil && params["q"] != "" {
			if f, err := strconv.ParseFloat(params["q"], 64); err == nil {
				q = f
			}
		}
		if name := normalMime(part); name != "" && q > 0 {
			list = append(list, choice{name, q})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].q > list[j].q })
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.mime
	}
	return names
}
