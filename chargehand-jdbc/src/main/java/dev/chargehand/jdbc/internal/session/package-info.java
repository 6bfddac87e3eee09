/** Connections with prepared statements, and statements with named parameters. */
@NullMarked
package dev.chargehand.jdbc.internal.session;

import org.jspecify.annotations.NullMarked;
