/** What the memory of agents needs, in SQL. */
@NullMarked
package dev.chargehand.jdbc.internal.sql.memory;

import org.jspecify.annotations.NullMarked;
