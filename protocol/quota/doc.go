// Package quota says how much clients may take: Limits in numbers, Slots of which there
// are only so many at once, and Holders, to whose accounts memory is charged.
package quota
