#include "referee/daemon/live_hub.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <limits>

#include "referee/daemon/parameters.hpp"

namespace referee::daemon {

namespace json = boost::json;

namespace {

constexpr std::size_t events_a_message = 500;
constexpr std::size_t bytes_a_message = 256 * 1024;
constexpr std::size_t most_subscriptions = 64;

constexpr int highest_match = std::numeric_limits<int>::max();
constexpr std::uint64_t highest_event = std::uint64_t{1} << 60U;

/// A member of a message; nullopt if it is not there, or null. Throws Refusal.
template <class Integer>
std::optional<Integer> number_in(const json::object& message, std::string_view name, Integer most) {
  const json::value* value = message.if_contains(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return whole_number_from<Integer>(name, json::serialize(*value), 1, most);
}

LiveConnection::Text text_of(const json::object& object) { return std::make_shared<const std::string>(json::serialize(object)); }

}  // namespace

std::vector<Subscription> subscriptions_of(const Request& request) {
  std::vector<Subscription> wanted;
  for (const auto& [name, value] : request.query) {
    if (name == "match") {
      wanted.push_back({.match = whole_number_from(name, value, 1, highest_match), .from = {}});
    } else if (name == "from") {
      if (wanted.empty() || wanted.back().from) throw Refusal(400, "'from' belongs to the match before it (expected match=ID&from=N)");
      wanted.back().from = whole_number_from<std::uint64_t>(name, value, 1, highest_event);
    }
  }
  return wanted;
}

struct LiveHub::Client {
  struct Place {
    std::uint64_t next = 1;  // event that it gets next
    bool in_vain = false;    // a reading brought nothing: another one waits for the next event
  };
  std::shared_ptr<LiveConnection> connection;
  std::string key;
  std::map<int, Place> places;
  bool reading = false;  // what it missed is being read, of `last_read`. One at a time, whatever it subscribes to and gives up meanwhile
  int last_read = 0;
  int opening = 0;  // logs that it asked for
  [[nodiscard]] bool is_free() const noexcept { return !reading && opening == 0; }
};

LiveHub::LiveHub(Hooks hooks) : hooks_(std::move(hooks)) {}
LiveHub::~LiveHub() = default;

void LiveHub::join(const std::shared_ptr<LiveConnection>& connection, const std::vector<Subscription>& subscriptions, std::string key) {
  const auto client = std::make_shared<Client>();
  client->connection = connection;
  client->key = std::move(key);
  clients_.insert(client);
  connection->on_closed = [this, weak = std::weak_ptr<Client>(client)] {
    if (const auto gone = weak.lock()) clients_.erase(gone);
  };
  connection->on_text = [this, weak = std::weak_ptr<Client>(client)](std::string_view text) {
    if (const auto speaker = weak.lock()) hear(speaker, text);
  };
  connection->on_drained = [this, weak = std::weak_ptr<Client>(client)] {
    if (const auto hungry = weak.lock()) feed(hungry);
  };
  for (const Subscription& wanted : subscriptions) subscribe(client, wanted);
}

void LiveHub::hear(const std::shared_ptr<Client>& client, std::string_view text) {
  json::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  const json::object* object = error ? nullptr : value.if_object();
  if (object == nullptr) return client->connection->send(text_of({{"error", "a JSON object is expected"}}));
  try {
    if (const auto match = number_in(*object, "subscribe", highest_match))
      return subscribe(client, {.match = *match, .from = number_in(*object, "from", highest_event)});
    if (const auto match = number_in(*object, "unsubscribe", highest_match)) {
      client->places.erase(*match);
      return;
    }
    throw Refusal(400, "unknown request (expected subscribe or unsubscribe)");
  } catch (const Refusal& why) { client->connection->send(text_of({{"error", why.what()}})); }
}

void LiveHub::subscribe(const std::shared_ptr<Client>& client, const Subscription& wanted) {
  if (const auto log = hooks_.log_of(wanted.match)) return begin(client, wanted, *log);
  const auto unknown = [match = wanted.match](const std::string& why) {
    return text_of({{"error", why + std::to_string(match)}, {"match", match}});
  };
  if (!hooks_.knows(wanted.match)) return client->connection->send(unknown("there is no match "));
  client->connection->hold();
  ++client->opening;
  hooks_.elsewhere([this, match = wanted.match] { hooks_.open_log(match); },
                   [this, client, wanted, unknown] {
                     --client->opening;
                     if (!clients_.contains(client)) return;
                     if (const auto log = hooks_.log_of(wanted.match))
                       begin(client, wanted, *log);
                     else
                       client->connection->send(unknown("nothing can be read of match "));
                     if (client->is_free()) client->connection->go_on();
                   });
}

void LiveHub::begin(const std::shared_ptr<Client>& client, const Subscription& wanted, const LiveLog& log) {
  const auto& [match, from] = wanted;
  if (client->places.size() >= most_subscriptions && !client->places.contains(match))
    return client->connection->send(text_of({{"error", "too many matches on one connection"}, {"match", match}}));
  const std::uint64_t end = log.next();
  const std::uint64_t first = log.first();
  Client::Place place;
  // A number from the future belongs to another log (the data folder was replaced): start with what there is.
  place.next = !from ? end : *from > end ? first : std::max(*from, first);
  const bool lost = from && (*from < first || *from > end);
  client->places[match] = place;
  json::object hello{{"subscribed", match}, {"next", place.next}, {"end", end}};
  if (lost) hello["lost"] = true;  // some events are gone: what is wanted of them stands in the match's games
  client->connection->send(text_of(hello));
  if (place.next < end) feed(client);
}

void LiveHub::feed(const std::shared_ptr<Client>& client) {
  if (client->reading) return;
  // In turn, so that none of its matches waits for all of another.
  const auto after = client->places.upper_bound(client->last_read);
  const auto hungry = [this](const auto& entry) {
    const auto log = entry.second.in_vain ? nullptr : hooks_.log_of(entry.first);
    return log && entry.second.next < log->next();
  };
  auto found = std::find_if(after, client->places.end(), hungry);
  if (found == client->places.end()) {
    found = std::find_if(client->places.begin(), after, hungry);
    if (found == after) return;
  }
  read_on(client, found->first, hooks_.log_of(found->first));
}

void LiveHub::read_on(const std::shared_ptr<Client>& client, int match, const std::shared_ptr<LiveLog>& log) {
  client->reading = true;
  client->last_read = match;
  client->connection->hold();
  const auto slice = std::make_shared<LiveLog::Slice>();
  const std::uint64_t asked = client->places[match].next;
  hooks_.elsewhere([log, slice, asked] { *slice = log->read(asked, events_a_message, bytes_a_message); },
                   [this, client, match, slice, asked] {
                     if (!clients_.contains(client)) return;
                     client->reading = false;
                     const auto found = client->places.find(match);
                     const bool wanted = found != client->places.end() && found->second.next == asked;
                     if (wanted && slice->lines.empty()) found->second.in_vain = true;
                     if (wanted && !slice->lines.empty()) {
                       found->second.next = slice->first + slice->lines.size();
                       client->connection->send(make_batch(match, slice->first, slice->lines).message);
                     }
                     if (client->connection->queued() == 0) feed(client);  // else when that has been sent
                     if (client->is_free()) client->connection->go_on();
                   });
}

void LiveHub::publish(const LiveBatch& batch) {
  std::vector<std::shared_ptr<Client>> concerned;
  for (const auto& client : clients_) {
    if (client->places.contains(batch.match)) concerned.push_back(client);
  }
  for (const auto& client : concerned) {
    if (client->reading && client->last_read == batch.match) continue;  // it will find this in the log
    Client::Place& place = client->places[batch.match];
    place.in_vain = false;
    if (place.next == batch.first) {
      place.next = batch.first + batch.count;
      client->connection->send(batch.message);
    } else if (place.next < batch.first && client->connection->queued() == 0) {
      feed(client);
    }
  }
}

void LiveHub::news(std::string_view what) {
  const auto text = text_of({{"news", json::string(what.data(), what.size())}});
  const auto everybody = clients_;
  for (const auto& client : everybody) client->connection->send(text);
}

void LiveHub::close_all(std::string_view why) {
  const auto everybody = clients_;
  for (const auto& client : everybody) client->connection->close(why);
}

void LiveHub::close_others(const std::set<std::string>& keys, std::string_view why) {
  const auto everybody = clients_;
  for (const auto& client : everybody) {
    if (!client->key.empty() && !keys.contains(client->key)) client->connection->close(why);
  }
}

}  // namespace referee::daemon
