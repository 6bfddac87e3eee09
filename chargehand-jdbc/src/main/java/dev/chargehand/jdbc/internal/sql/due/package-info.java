/** Finds what a process has to do for runs of all tenants, in SQL. */
@NullMarked
package dev.chargehand.jdbc.internal.sql.due;

import org.jspecify.annotations.NullMarked;
