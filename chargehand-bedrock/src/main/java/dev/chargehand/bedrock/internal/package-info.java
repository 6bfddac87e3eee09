/** Not for use from outside: Converse's requests, its event stream, and signatures by AWS' SDK. */
@NullMarked
package dev.chargehand.bedrock.internal;

import org.jspecify.annotations.NullMarked;
