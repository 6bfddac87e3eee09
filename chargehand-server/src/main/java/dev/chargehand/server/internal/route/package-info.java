/** The table of routes: how a request finds its handler, what it must be allowed to do, and how errors become problems. */
@NullMarked
package dev.chargehand.server.internal.route;

import org.jspecify.annotations.NullMarked;
