package message

// Mime types by name; Untyped is appended for the untyped forms of GraphSON.
const (
	MimeGraphBinary        = "application/vnd.graphbinary-v1.0"
	MimeGraphBinaryStringd = "application/vnd.graphbinary-v1.0-stringd"
	MimeJSON               = "application/json"
	MimeGraphSON1          = "application/vnd.gremlin-v1.0+json"
	MimeGraphSON2          = "application/vnd.gremlin-v2.0+json"
	MimeGraphSON3          = "application/vnd.gremlin-v3.0+json"
	Untyped                = ";types=false"
)

// Codecs maps mime types to what reads and writes them. It does not change once the
// server runs.
type Codecs map[string]Codec

// ParseFrame splits a binary frame {length}{mime}{payload}. An unknown mime type is not
// guessed at.
func (c Codecs) ParseFrame(b []byte) (codec Codec, mime, payload []byte, err error) {
	if len(b) == 0 {
		return nil, nil, nil, Malformed("%s: empty frame", NotParsed)
	}
	n := int(int8(b[0]))
	if n <= 0 || n > len(b)-1 {
		return nil, nil, nil, Malformed("%s: mime type length %d", NotParsed, n)
	}
	codec, ok := c[string(b[1:1+n])]
	if !ok {
		return nil, nil, nil, Malformed("%s: no serializer for mime type %.60q", NotParsed, b[1:1+n])
	}
	return codec, b[1 : 1+n], b[1+n:], nil
}
