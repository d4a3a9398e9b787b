//! Addresses of brokers: `host:port`, several separated by commas.
//!
//! librdkafka takes nearly anything for one: it lets ports wrap around, and leaves out what it does not understand. So the shape is checked first, and a text
//! that is none is never repeated: it may be a secret that got into the wrong place.

/// Why a text is no list of addresses. Says which item, counted from 1, and never what it holds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("address {item} of the list is not host:port, {why}")]
pub struct NotAnAddress {
    item: usize,
    why: &'static str,
}

/// Checks a list of addresses. Hosts are names or IPv4 addresses, or IPv6 addresses in brackets; a port is needed, from 1 to 65535.
pub fn check(list: &str) -> Result<(), NotAnAddress> {
    for (at, address) in list.split(',').enumerate() {
        one(address.trim()).map_err(|why| NotAnAddress { item: at + 1, why })?;
    }
    Ok(())
}

fn one(address: &str) -> Result<(), &'static str> {
    let (host, port) = address.rsplit_once(':').ok_or("it has no port")?;
    let is_port = !port.is_empty() && port.bytes().all(|c| c.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    if !is_port {
        return Err("its port is no number from 1 to 65535");
    }
    let is_name = !host.is_empty() && host.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'-' | b'_'));
    let is_ipv6 = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).is_some_and(|host| host.parse::<std::net::Ipv6Addr>().is_ok());
    if is_name || is_ipv6 { Ok(()) } else { Err("its host is neither a name nor an address") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hosts_with_ports_are_addresses() {
        for good in ["localhost:9092", "a.b-c:1, 10.0.0.1:65535", "[::1]:9092", "my_host:9092"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["", "localhost", "h:0", "h:104628", "h:", ":9092", "http://h:9092", "h:9092,", "a b:1", "::1:9092", "user@h:9092", "h:+1"] {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert_eq!(check("h:9092,secret").unwrap_err().to_string(), "address 2 of the list is not host:port, it has no port");
    }
}
