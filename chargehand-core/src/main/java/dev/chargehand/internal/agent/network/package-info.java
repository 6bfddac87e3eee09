/** Networks: the router, its decisions, and the default completion check. */
@NullMarked
package dev.chargehand.internal.agent.network;

import org.jspecify.annotations.NullMarked;
