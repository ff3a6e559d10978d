package blueprints

// RestExpirer ends what drops by itself what is due, in all graphs of the database.
func (g *Graph) RestExpirer() { g.db.expirer.close() }
