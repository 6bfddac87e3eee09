/** Deletes runs, threads, messages and what is remembered, in SQL. */
@NullMarked
package dev.chargehand.jdbc.internal.sql.deletion;

import org.jspecify.annotations.NullMarked;
