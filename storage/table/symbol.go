package table

import "encoding/binary"

// Symbols: labels and property keys are numbers in every other key.
//
//	+-------+------+------+
//	| graph | 0x02 | name |         -> symbol 4B
//	+-------+------+------+----+
//	| graph | 0x03 | symbol 4B |    -> name
//	+-------+------+-----------+

// AppendSymbolName appends the key that maps a name to its symbol; an empty name
// gives the prefix of all.
func AppendSymbolName(dst []byte, graph uint32, name string) []byte {
	return append(AppendTable(dst, graph, SymbolByName), name...)
}

// DecodeSymbolName reads a key that AppendSymbolName wrote.
func DecodeSymbolName(key []byte) (graph uint32, name string, err error) {
	f, graph := open(key, SymbolByName)
	name = string(f.tail(0))
	return graph, name, f.end(SymbolByName, key)
}

// AppendSymbol appends the key that maps a symbol to its name.
func AppendSymbol(dst []byte, graph, symbol uint32) []byte {
	return binary.BigEndian.AppendUint32(AppendTable(dst, graph, NameBySymbol), symbol)
}

// DecodeSymbol reads a key that AppendSymbol wrote.
func DecodeSymbol(key []byte) (graph, symbol uint32, err error) {
	f, graph := open(key, NameBySymbol)
	symbol = f.u32()
	return graph, symbol, f.end(NameBySymbol, key)
}
